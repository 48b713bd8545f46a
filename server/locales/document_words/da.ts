import type { DocumentTexts } from '../document_texts.ts';

export const da: DocumentTexts = {
  invoice: 'Faktura',
  receipt: 'Kvittering',
  invoice_number: 'Fakturanummer',
  date: 'Dato',
  seller: 'Sælger',
  bill_to: 'Faktureres til',
  description: 'Beskrivelse',
  unit_price: 'Enhedspris',
  credit_applied: 'Anvendt kredit',
  amount_due: 'Beløb til betaling',
  amount_paid: 'Betalt beløb',
  tax_id: 'Momsnummer',
  paid_on: 'Betalingsdato',
  refunded: 'Refunderet',
  paid: 'Betalt',
  void: 'Annulleret',
};
