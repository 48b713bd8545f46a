import type { DocumentTexts } from '../document_texts.ts';

export const cs: DocumentTexts = {
  invoice: 'Faktura',
  receipt: 'Potvrzení o platbě',
  invoice_number: 'Číslo faktury',
  date: 'Datum',
  seller: 'Dodavatel',
  bill_to: 'Odběratel',
  description: 'Popis',
  unit_price: 'Cena za jednotku',
  credit_applied: 'Použitý kredit',
  amount_due: 'K úhradě',
  amount_paid: 'Zaplaceno',
  tax_id: 'DIČ',
  paid_on: 'Datum platby',
  refunded: 'Vráceno',
  paid: 'Zaplaceno',
  void: 'Stornováno',
};
