import type { DocumentTexts } from '../document_texts.ts';

export const it: DocumentTexts = {
  invoice: 'Fattura',
  receipt: 'Ricevuta',
  invoice_number: 'Numero fattura',
  date: 'Data',
  seller: 'Venditore',
  bill_to: 'Intestatario',
  description: 'Descrizione',
  unit_price: 'Prezzo unitario',
  credit_applied: 'Credito utilizzato',
  amount_due: 'Importo dovuto',
  amount_paid: 'Importo pagato',
  tax_id: 'Partita IVA o codice fiscale',
  paid_on: 'Data del pagamento',
  refunded: 'Rimborsato',
  paid: 'Pagata',
  void: 'Annullata',
};
