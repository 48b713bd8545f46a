import type { DocumentTexts } from '../document_texts.ts';

export const fr: DocumentTexts = {
  invoice: 'Facture',
  receipt: 'Reçu',
  invoice_number: 'Numéro de facture',
  date: 'Date',
  seller: 'Vendeur',
  bill_to: 'Facturé à',
  description: 'Description',
  unit_price: 'Prix unitaire',
  credit_applied: 'Crédit utilisé',
  amount_due: 'Montant dû',
  amount_paid: 'Montant payé',
  tax_id: 'Numéro fiscal',
  paid_on: 'Date du paiement',
  refunded: 'Remboursé',
  paid: 'Payée',
  void: 'Annulée',
};
