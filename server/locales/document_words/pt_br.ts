import type { DocumentTexts } from '../document_texts.ts';

export const ptBr: DocumentTexts = {
  invoice: 'Fatura',
  receipt: 'Recibo',
  invoice_number: 'Número da fatura',
  date: 'Data',
  seller: 'Vendedor',
  bill_to: 'Cobrar de',
  description: 'Descrição',
  unit_price: 'Preço unitário',
  credit_applied: 'Crédito utilizado',
  amount_due: 'Valor devido',
  amount_paid: 'Valor pago',
  tax_id: 'CPF ou CNPJ',
  paid_on: 'Data do pagamento',
  refunded: 'Reembolsado',
  paid: 'Paga',
  void: 'Anulada',
};
