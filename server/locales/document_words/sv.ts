import type { DocumentTexts } from '../document_texts.ts';

export const sv: DocumentTexts = {
  invoice: 'Faktura',
  receipt: 'Kvitto',
  invoice_number: 'Fakturanummer',
  date: 'Datum',
  seller: 'Säljare',
  bill_to: 'Faktureras till',
  description: 'Beskrivning',
  unit_price: 'Styckpris',
  credit_applied: 'Använd kredit',
  amount_due: 'Belopp att betala',
  amount_paid: 'Betalt belopp',
  tax_id: 'Skatteregistreringsnummer',
  paid_on: 'Betalningsdatum',
  refunded: 'Återbetalat',
  paid: 'Betald',
  void: 'Makulerad',
};
