import type { DocumentTexts } from '../document_texts.ts';

export const sk: DocumentTexts = {
  invoice: 'Faktúra',
  receipt: 'Potvrdenie o platbe',
  invoice_number: 'Číslo faktúry',
  date: 'Dátum',
  seller: 'Dodávateľ',
  bill_to: 'Odberateľ',
  description: 'Popis',
  unit_price: 'Jednotková cena',
  credit_applied: 'Použitý kredit',
  amount_due: 'Na úhradu',
  amount_paid: 'Zaplatená suma',
  tax_id: 'DIČ',
  paid_on: 'Dátum platby',
  refunded: 'Vrátené',
  paid: 'Zaplatené',
  void: 'Stornované',
};
