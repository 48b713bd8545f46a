import type { DocumentTexts } from '../document_texts.ts';

export const hr: DocumentTexts = {
  invoice: 'Račun',
  receipt: 'Potvrda o plaćanju',
  invoice_number: 'Broj računa',
  date: 'Datum',
  seller: 'Prodavatelj',
  bill_to: 'Kupac',
  description: 'Opis',
  unit_price: 'Jedinična cijena',
  credit_applied: 'Iskorišteno odobrenje',
  amount_due: 'Iznos za plaćanje',
  amount_paid: 'Plaćeni iznos',
  tax_id: 'Porezni broj',
  paid_on: 'Datum plaćanja',
  refunded: 'Vraćeno',
  paid: 'Plaćeno',
  void: 'Poništeno',
};
