import type { DocumentTexts } from '../document_texts.ts';

export const lt: DocumentTexts = {
  invoice: 'Sąskaita faktūra',
  receipt: 'Mokėjimo kvitas',
  invoice_number: 'Sąskaitos numeris',
  date: 'Data',
  seller: 'Pardavėjas',
  bill_to: 'Pirkėjas',
  description: 'Aprašymas',
  unit_price: 'Vieneto kaina',
  credit_applied: 'Panaudotas kreditas',
  amount_due: 'Mokėtina suma',
  amount_paid: 'Sumokėta suma',
  tax_id: 'Mokesčių mokėtojo kodas',
  paid_on: 'Mokėjimo data',
  refunded: 'Grąžinta',
  paid: 'Apmokėta',
  void: 'Anuliuota',
};
