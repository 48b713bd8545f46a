import type { DocumentTexts } from '../document_texts.ts';

export const zh: DocumentTexts = {
  invoice: '账单',
  receipt: '收据',
  invoice_number: '账单编号',
  date: '日期',
  seller: '销售方',
  bill_to: '购买方',
  description: '说明',
  unit_price: '单价',
  credit_applied: '已用余额',
  amount_due: '应付金额',
  amount_paid: '已付金额',
  tax_id: '纳税人识别号',
  paid_on: '付款日期',
  refunded: '已退款',
  paid: '已支付',
  void: '已作废',
};
