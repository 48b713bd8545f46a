import type { DocumentTexts } from '../document_texts.ts';

export const nb: DocumentTexts = {
  invoice: 'Faktura',
  receipt: 'Kvittering',
  invoice_number: 'Fakturanummer',
  date: 'Dato',
  seller: 'Selger',
  bill_to: 'Faktureres til',
  description: 'Beskrivelse',
  unit_price: 'Enhetspris',
  credit_applied: 'Brukt kreditt',
  amount_due: 'Beløp å betale',
  amount_paid: 'Betalt beløp',
  tax_id: 'Organisasjonsnummer',
  paid_on: 'Betalingsdato',
  refunded: 'Refundert',
  paid: 'Betalt',
  void: 'Annullert',
};
