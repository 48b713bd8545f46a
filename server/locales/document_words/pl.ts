import type { DocumentTexts } from '../document_texts.ts';

export const pl: DocumentTexts = {
  invoice: 'Faktura',
  receipt: 'Potwierdzenie płatności',
  invoice_number: 'Numer faktury',
  date: 'Data',
  seller: 'Sprzedawca',
  bill_to: 'Nabywca',
  description: 'Opis',
  unit_price: 'Cena jednostkowa',
  credit_applied: 'Wykorzystane środki',
  amount_due: 'Kwota do zapłaty',
  amount_paid: 'Kwota zapłacona',
  tax_id: 'Numer identyfikacji podatkowej',
  paid_on: 'Data płatności',
  refunded: 'Zwrócono',
  paid: 'Zapłacono',
  void: 'Anulowano',
};
