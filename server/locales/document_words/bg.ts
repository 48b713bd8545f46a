import type { DocumentTexts } from '../document_texts.ts';

export const bg: DocumentTexts = {
  invoice: 'Фактура',
  receipt: 'Разписка',
  invoice_number: 'Номер на фактура',
  date: 'Дата',
  seller: 'Продавач',
  bill_to: 'Получател',
  description: 'Описание',
  unit_price: 'Единична цена',
  credit_applied: 'Използван кредит',
  amount_due: 'Дължима сума',
  amount_paid: 'Платена сума',
  tax_id: 'Данъчен номер',
  paid_on: 'Дата на плащане',
  refunded: 'Възстановено',
  paid: 'Платена',
  void: 'Анулирана',
};
