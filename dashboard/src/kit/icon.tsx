/** Drawn on a grid of 16, as lines. */
const shapes = {
  home: 'M2.5 7.5 8 3l5.5 4.5M4 6.8V13h8V6.8',
  attention: 'M4 11.200V7.200a4 4 0 0 1 8 0v4l1.300 1.300H2.700zM6.700 14.200h2.600',
  payments: 'M1.8 4h12.4v8H1.8zM1.8 6.7h12.4M4 9.6h2.5',
  customers: 'M8 7.8a2.6 2.6 0 1 0 0-5.2 2.6 2.6 0 0 0 0 5.2ZM3 13.6c.4-2.6 2.4-4 5-4s4.600 1.400 5 4',
  subscriptions:
    'M13 6.500A5.200 5.200 0 0 0 3.500 5M3 9.500A5.200 5.200 0 0 0 12.500 11M3.200 2.500v2.700h2.700M12.800 13.500v-2.700h-2.700',
  invoices: 'M4 2h8v12l-2-1.200-2 1.200-2-1.200L4 14zM6.200 5.500h3.600M6.200 8h3.600',
  prices: 'M2.500 8.200 8 2.700h5.300V8L7.800 13.500zM10.500 5.500h.01',
  coupons: 'M2 5h12v2.200a1 1 0 0 0 0 1.900V11H2V9.100a1 1 0 0 0 0-1.900zM6.500 5v6',
  refunds: 'M6 3.500 2.800 6.500 6 9.500M3 6.500h6.500a3.200 3.200 0 0 1 0 6.400H6',
  disputes: 'M8 2.500 14 13H2zM8 6.500v3M8 11.300h.01',
  balance: 'M8 2v12M3.500 4h9M3.500 4 1.800 8.500a2 2 0 0 0 3.500 0zM12.500 4l-1.700 4.500a2 2 0 0 0 3.500 0z',
  keys: 'M10 6.500a2.500 2.500 0 1 1 .01 0ZM8.200 7.500 3 12.700V14h2v-1.500h1.500',
  webhooks: 'M6.500 6.500 4 11M9.500 6.500 12 11M5 11.500h6M8 6.800a2 2 0 1 0 0-4 2 2 0 0 0 0 4Z',
  inbox: 'M2 9h3.500l1 1.800h3l1-1.800H14M2 9l2-6h8l2 6v4.200H2z',
  events: 'M8.800 2 3.500 9H8l-.8 5L12.500 7H8z',
  log: 'M3 3.500h10M3 6.500h10M3 9.500h7M3 12.500h5',
  clocks: 'M8 14A5.800 5.800 0 1 0 8 2.400 5.800 5.800 0 0 0 8 14ZM8 5v3.300l2.200 1.400',
  cards: 'M2 4.500h9v6.500H2zM5 11v2h9V7h-2',
  reference: 'M3 2.500h7.500A2.500 2.500 0 0 1 13 5v8.500H5.500A2.500 2.500 0 0 1 3 11zM6 5.500h4',
  settings: 'M2 5h6M12 5h2M10 7a2 2 0 1 0 0-4 2 2 0 0 0 0 4ZM2 11h2M8 11h6M6 13a2 2 0 1 0 0-4 2 2 0 0 0 0 4Z',
  search: 'M7 11.500a4.500 4.500 0 1 0 0-9 4.500 4.500 0 0 0 0 9ZM10.300 10.300 14 14',
  copy: 'M5.500 5.500H13V13H5.500zM3 10.500V3h7.500',
  check: 'M3 8.500 6.500 12 13 4.500',
  close: 'M4 4l8 8M12 4l-8 8',
  plus: 'M8 3v10M3 8h10',
  down: 'M4 6.500 8 10.500 12 6.500',
  left: 'M9.500 4 5.500 8l4 4',
  right: 'M6.500 4l4 4-4 4',
  columns: 'M2.500 3.500h11v9h-11zM6.200 3.500v9M9.800 3.500v9',
  download: 'M8 2.500v7M4.800 6.800 8 10l3.200-3.200M3 13.500h10',
  bookmark: 'M4.500 2.500h7v11L8 11l-3.500 2.500z',
  sun: 'M8 11a3 3 0 1 0 0-6 3 3 0 0 0 0 6ZM8 1.500v1.200M8 13.300v1.200M1.500 8h1.200M13.300 8h1.200M3.400 3.400l.9.9M11.700 11.700l.9.9M12.600 3.400l-.9.9M4.300 11.700l-.9.9',
  out: 'M6.500 3H3v10h3.500M9.500 5l3 3-3 3M12.500 8H6',
} as const;

export type IconName = keyof typeof shapes;

export function Icon({ name, size = 16 }: { name: IconName; size?: number }) {
  return (
    <svg width={size} height={size} viewBox="0 0 16 16" fill="none" stroke="currentColor" strokeWidth="1.4" aria-hidden>
      <path d={shapes[name]} strokeLinecap="round" strokeLinejoin="round" />
    </svg>
  );
}
