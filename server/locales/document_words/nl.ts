import type { DocumentTexts } from '../document_texts.ts';

export const nl: DocumentTexts = {
  invoice: 'Factuur',
  receipt: 'Betalingsbewijs',
  invoice_number: 'Factuurnummer',
  date: 'Datum',
  seller: 'Verkoper',
  bill_to: 'Factuur aan',
  description: 'Omschrijving',
  unit_price: 'Prijs per stuk',
  credit_applied: 'Verrekend tegoed',
  amount_due: 'Te betalen bedrag',
  amount_paid: 'Betaald bedrag',
  tax_id: 'Btw-nummer',
  paid_on: 'Betaaldatum',
  refunded: 'Terugbetaald',
  paid: 'Betaald',
  void: 'Geannuleerd',
};
