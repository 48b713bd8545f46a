import type { DocumentTexts } from '../document_texts.ts';

export const lv: DocumentTexts = {
  invoice: 'Rēķins',
  receipt: 'Maksājuma kvīts',
  invoice_number: 'Rēķina numurs',
  date: 'Datums',
  seller: 'Pārdevējs',
  bill_to: 'Saņēmējs',
  description: 'Apraksts',
  unit_price: 'Vienības cena',
  credit_applied: 'Izmantotais kredīts',
  amount_due: 'Maksājamā summa',
  amount_paid: 'Samaksātā summa',
  tax_id: 'Nodokļu maksātāja numurs',
  paid_on: 'Maksājuma datums',
  refunded: 'Atmaksāts',
  paid: 'Apmaksāts',
  void: 'Anulēts',
};
