import type { Sheet } from './sheet.ts';

/** An invoice as tests need it. */
export function sheetWith(change: Partial<Sheet> = {}): Sheet {
  return {
    language: 'en',
    direction: 'ltr',
    han: 'sc',
    title: 'Invoice INV-000012',
    heading: 'Invoice',
    seller: 'Ada & Sons',
    color: '#0a7d5a',
    facts: [
      { label: 'Invoice number', value: 'INV-000012' },
      { label: 'Date', value: 'Nov 18, 2026' },
    ],
    blocks: [
      { heading: 'Seller', lines: ['Ada & Sons GmbH', 'Hauptstraße 1', '1010 Wien'] },
      { heading: 'Bill to', lines: ['Grace Hopper'] },
    ],
    table: {
      columns: [
        { heading: 'Description', share: 5, align: 'start' },
        { heading: 'Quantity', share: 1.3, align: 'end' },
        { heading: 'Unit price', share: 2, align: 'end' },
        { heading: 'Amount', share: 2, align: 'end' },
      ],
      rows: [{ cells: ['Coffee', '2', '€10.00', '€20.00'], note: 'Nov 1, 2026 – Dec 1, 2026' }],
    },
    sums: [
      { label: 'Subtotal', value: '€20.00' },
      { label: 'Total', value: '€20.00', isStrong: true },
    ],
    remarks: [],
    footer: ['Ada & Sons GmbH, Wien'],
    createdAt: Date.UTC(2026, 10, 18, 12),
    ...change,
  };
}

export function rowsOf(count: number): { cells: string[]; note: string }[] {
  return Array.from({ length: count }, (_, at) => ({
    cells: [
      `Service ${at + 1} of a contract with a description that needs a second line`,
      '1',
      '€1,234.00',
      '€1,234.00',
    ],
    note: 'Nov 1, 2026 – Dec 1, 2026',
  }));
}
