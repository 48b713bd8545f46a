import type { DocumentTexts } from '../document_texts.ts';

export const hu: DocumentTexts = {
  invoice: 'Számla',
  receipt: 'Fizetési bizonylat',
  invoice_number: 'Számlaszám',
  date: 'Dátum',
  seller: 'Eladó',
  bill_to: 'Vevő',
  description: 'Leírás',
  unit_price: 'Egységár',
  credit_applied: 'Felhasznált jóváírás',
  amount_due: 'Fizetendő összeg',
  amount_paid: 'Fizetett összeg',
  tax_id: 'Adószám',
  paid_on: 'Fizetés dátuma',
  refunded: 'Visszatérítve',
  paid: 'Fizetve',
  void: 'Érvénytelen',
};
