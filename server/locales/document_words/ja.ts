import type { DocumentTexts } from '../document_texts.ts';

export const ja: DocumentTexts = {
  invoice: '請求書',
  receipt: '領収書',
  invoice_number: '請求書番号',
  date: '日付',
  seller: '発行者',
  bill_to: '請求先',
  description: '内容',
  unit_price: '単価',
  credit_applied: '充当済みクレジット',
  amount_due: '請求額',
  amount_paid: '支払額',
  tax_id: '税務登録番号',
  paid_on: '支払日',
  refunded: '返金額',
  paid: '支払済み',
  void: '無効',
};
