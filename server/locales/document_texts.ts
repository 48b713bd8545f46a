/** What only invoices and receipts say, in English. The rules are those of `texts.ts`, which they use as well. */
export const documentEnglish = {
  invoice: 'Invoice',
  receipt: 'Receipt',
  invoice_number: 'Invoice number',
  date: 'Date',
  seller: 'Seller',
  bill_to: 'Bill to',
  description: 'Description',
  unit_price: 'Unit price',
  credit_applied: 'Credit applied',
  amount_due: 'Amount due',
  amount_paid: 'Amount paid',
  tax_id: 'Tax ID',
  paid_on: 'Date paid',
  refunded: 'Refunded',
  paid: 'Paid',
  void: 'Void',
} as const;

export type DocumentTextKey = keyof typeof documentEnglish;

/** The texts of one locale. One that is missing is shown in English. */
export type DocumentTexts = Readonly<Partial<Record<DocumentTextKey, string>>>;

export const documentTextKeys = Object.keys(documentEnglish) as DocumentTextKey[];
