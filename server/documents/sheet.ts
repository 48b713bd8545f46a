import type { Direction } from '../base/one_line.ts';
import type { Han } from './fonts/families.ts';

/** A picture that pdfkit can draw. */
export type SheetLogo = { bytes: Uint8Array; width: number; height: number };

/** A label with its value. */
export type Fact = { label: string; value: string };

/** Lines below a heading, such as an address. */
export type SheetBlock = { heading: string; lines: readonly string[] };

export type SheetColumn = { heading: string; share: number; align: 'start' | 'end' };

/** A row: a text for each column, and below the first one a smaller text. */
export type SheetRow = { cells: readonly string[]; note?: string };

export type SheetSum = Fact & { isStrong?: boolean };

/** What a document shows, as texts that are ready to be read: this folder knows neither amounts nor languages. */
export type Sheet = {
  /** BCP 47. */
  language: string;
  direction: Direction;
  han: Han;
  /** Of the window of a reader. */
  title: string;
  heading: string;
  /** Beside the heading: a state. */
  mark?: string;
  seller: string;
  logo?: SheetLogo;
  /** `#rrggbb`. */
  color: string;
  /** Above everything, where it is no real document. */
  notice?: string;
  facts: readonly Fact[];
  blocks: readonly SheetBlock[];
  table?: { columns: readonly SheetColumn[]; rows: readonly SheetRow[] };
  sums: readonly SheetSum[];
  /** Below the sums. */
  remarks: readonly string[];
  /** At the end of each page. */
  footer: readonly string[];
  /** Epoch milliseconds. The same sheet gives the same bytes, so a document bears the time of its subject. */
  createdAt: number;
};
