import type { DocumentTexts } from '../document_texts.ts';

export const pt: DocumentTexts = {
  invoice: 'Fatura',
  receipt: 'Recibo',
  invoice_number: 'Número da fatura',
  date: 'Data',
  seller: 'Vendedor',
  bill_to: 'Faturar a',
  description: 'Descrição',
  unit_price: 'Preço unitário',
  credit_applied: 'Crédito utilizado',
  amount_due: 'Montante em dívida',
  amount_paid: 'Montante pago',
  tax_id: 'Número de contribuinte',
  paid_on: 'Data do pagamento',
  refunded: 'Reembolsado',
  paid: 'Paga',
  void: 'Anulada',
};
