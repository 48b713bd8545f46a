import type { DocumentTexts } from '../document_texts.ts';

export const et: DocumentTexts = {
  invoice: 'Arve',
  receipt: 'Maksekviitung',
  invoice_number: 'Arve number',
  date: 'Kuupäev',
  seller: 'Müüja',
  bill_to: 'Arve saaja',
  description: 'Kirjeldus',
  unit_price: 'Ühiku hind',
  credit_applied: 'Kasutatud krediit',
  amount_due: 'Tasuda',
  amount_paid: 'Tasutud',
  tax_id: 'Maksukohustuslase number',
  paid_on: 'Makse kuupäev',
  refunded: 'Tagastatud',
  paid: 'Tasutud',
  void: 'Tühistatud',
};
