import type { DocumentTexts } from '../document_texts.ts';

export const fi: DocumentTexts = {
  invoice: 'Lasku',
  receipt: 'Kuitti',
  invoice_number: 'Laskun numero',
  date: 'Päivämäärä',
  seller: 'Myyjä',
  bill_to: 'Laskutettava',
  description: 'Kuvaus',
  unit_price: 'Yksikköhinta',
  credit_applied: 'Käytetty hyvitys',
  amount_due: 'Maksettava',
  amount_paid: 'Maksettu',
  tax_id: 'Verotunniste',
  paid_on: 'Maksupäivä',
  refunded: 'Palautettu',
  paid: 'Maksettu',
  void: 'Mitätöity',
};
