import type { DocumentTexts } from '../document_texts.ts';

export const ar: DocumentTexts = {
  invoice: 'فاتورة',
  receipt: 'إيصال',
  invoice_number: 'رقم الفاتورة',
  date: 'التاريخ',
  seller: 'البائع',
  bill_to: 'المشتري',
  description: 'الوصف',
  unit_price: 'سعر الوحدة',
  credit_applied: 'الرصيد المستخدم',
  amount_due: 'المبلغ المستحق',
  amount_paid: 'المبلغ المدفوع',
  tax_id: 'الرقم الضريبي',
  paid_on: 'تاريخ الدفع',
  refunded: 'المبلغ المسترد',
  paid: 'مدفوعة',
  void: 'ملغاة',
};
