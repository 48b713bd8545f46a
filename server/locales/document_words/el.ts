import type { DocumentTexts } from '../document_texts.ts';

export const el: DocumentTexts = {
  invoice: 'Τιμολόγιο',
  receipt: 'Απόδειξη',
  invoice_number: 'Αριθμός τιμολογίου',
  date: 'Ημερομηνία',
  seller: 'Πωλητής',
  bill_to: 'Πελάτης',
  description: 'Περιγραφή',
  unit_price: 'Τιμή μονάδας',
  credit_applied: 'Πίστωση που χρησιμοποιήθηκε',
  amount_due: 'Πληρωτέο ποσό',
  amount_paid: 'Πληρωθέν ποσό',
  tax_id: 'ΑΦΜ',
  paid_on: 'Ημερομηνία πληρωμής',
  refunded: 'Επιστράφηκε',
  paid: 'Πληρωμένο',
  void: 'Ακυρωμένο',
};
