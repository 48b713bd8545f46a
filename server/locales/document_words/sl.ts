import type { DocumentTexts } from '../document_texts.ts';

export const sl: DocumentTexts = {
  invoice: 'Račun',
  receipt: 'Potrdilo o plačilu',
  invoice_number: 'Številka računa',
  date: 'Datum',
  seller: 'Prodajalec',
  bill_to: 'Kupec',
  description: 'Opis',
  unit_price: 'Cena na enoto',
  credit_applied: 'Uporabljeno dobroimetje',
  amount_due: 'Znesek za plačilo',
  amount_paid: 'Plačani znesek',
  tax_id: 'Davčna številka',
  paid_on: 'Datum plačila',
  refunded: 'Vrnjeno',
  paid: 'Plačano',
  void: 'Razveljavljeno',
};
