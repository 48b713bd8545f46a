import type { DocumentTexts } from '../document_texts.ts';

export const he: DocumentTexts = {
  invoice: 'חשבונית',
  receipt: 'קבלה',
  invoice_number: 'מספר חשבונית',
  date: 'תאריך',
  seller: 'מוכר',
  bill_to: 'לכבוד',
  description: 'תיאור',
  unit_price: 'מחיר ליחידה',
  credit_applied: 'זיכוי שנוצל',
  amount_due: 'סכום לתשלום',
  amount_paid: 'סכום ששולם',
  tax_id: 'מספר עוסק',
  paid_on: 'תאריך תשלום',
  refunded: 'הוחזר',
  paid: 'שולמה',
  void: 'מבוטלת',
};
