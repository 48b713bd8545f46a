import type { DocumentTexts } from '../document_texts.ts';

export const ro: DocumentTexts = {
  invoice: 'Factură',
  receipt: 'Chitanță',
  invoice_number: 'Numărul facturii',
  date: 'Data',
  seller: 'Vânzător',
  bill_to: 'Cumpărător',
  description: 'Descriere',
  unit_price: 'Preț unitar',
  credit_applied: 'Credit utilizat',
  amount_due: 'Sumă de plată',
  amount_paid: 'Sumă plătită',
  tax_id: 'Cod fiscal',
  paid_on: 'Data plății',
  refunded: 'Rambursat',
  paid: 'Plătită',
  void: 'Anulată',
};
