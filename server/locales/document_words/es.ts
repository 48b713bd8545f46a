import type { DocumentTexts } from '../document_texts.ts';

export const es: DocumentTexts = {
  invoice: 'Factura',
  receipt: 'Recibo',
  invoice_number: 'Número de factura',
  date: 'Fecha',
  seller: 'Vendedor',
  bill_to: 'Facturar a',
  description: 'Descripción',
  unit_price: 'Precio unitario',
  credit_applied: 'Crédito aplicado',
  amount_due: 'Importe pendiente',
  amount_paid: 'Importe pagado',
  tax_id: 'Identificación fiscal',
  paid_on: 'Fecha de pago',
  refunded: 'Reembolsado',
  paid: 'Pagada',
  void: 'Anulada',
};
