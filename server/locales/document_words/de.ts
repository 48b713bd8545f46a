import type { DocumentTexts } from '../document_texts.ts';

export const de: DocumentTexts = {
  invoice: 'Rechnung',
  receipt: 'Zahlungsbeleg',
  invoice_number: 'Rechnungsnummer',
  date: 'Datum',
  seller: 'Verkäufer',
  bill_to: 'Rechnungsempfänger',
  description: 'Beschreibung',
  unit_price: 'Einzelpreis',
  credit_applied: 'Verrechnetes Guthaben',
  amount_due: 'Fälliger Betrag',
  amount_paid: 'Bezahlter Betrag',
  tax_id: 'Steuernummer',
  paid_on: 'Zahlungsdatum',
  refunded: 'Erstattet',
  paid: 'Bezahlt',
  void: 'Storniert',
};
