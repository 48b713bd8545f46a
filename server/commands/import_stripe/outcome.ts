import { table } from '../print.ts';
import { type Obstacle, type Reason, reasons } from './reasons.ts';

export const importedKinds = ['customers', 'payment_methods', 'prices', 'coupons', 'subscriptions'] as const;
export type Kind = (typeof importedKinds)[number];

/** How many there are at Stripe, and what becomes of them. In a dry run `created` would be. */
type ImportCounts = { read: number; created: number; there: number; left: number; ended: number; lifted: number };
type ReportedObject = { object: Kind; id: string; reason: Reason; message: string };
type Note = { object: Kind; id: string; message: string };

/** Of thousands, the first tell the reason. */
const idsShown = 5;
const notesShown = 20;

/** What an import has done, and what it has left. */
export class ImportOutcome {
  readonly counts = Object.fromEntries(
    importedKinds.map((kind): [Kind, ImportCounts] => [
      kind,
      { read: 0, created: 0, there: 0, left: 0, ended: 0, lifted: 0 },
    ]),
  ) as Record<Kind, ImportCounts>;
  /** What stays at Stripe. */
  readonly left: ReportedObject[] = [];
  /** What fits, though not all of it. */
  readonly notes: Note[] = [];
  /** What a person has to look at. */
  readonly attention: ReportedObject[] = [];
  /** Subscriptions that are being taken over: Stripe lets them end, and what becomes of them here is not known yet. */
  readonly begun = new Set<string>();

  count(kind: Kind, what: keyof ImportCounts): void {
    this.counts[kind][what] += 1;
  }

  leave(object: Kind, id: string, obstacle: Obstacle): void {
    this.count(object, 'left');
    this.left.push({ object, id, ...sentenceOf(obstacle) });
  }

  warn(object: Kind, id: string, obstacle: Obstacle): void {
    this.count(object, 'left');
    this.attention.push({ object, id, ...sentenceOf(obstacle) });
  }

  note(object: Kind, id: string, message: string): void {
    this.notes.push({ object, id, message });
  }

  get ok(): boolean {
    return this.attention.length === 0;
  }

  shown() {
    const { counts, left, notes, attention } = this;
    return { counts, left, notes, attention };
  }

  inWords(isApplied: boolean): string {
    const rows = importedKinds
      .map((kind) => [kind, this.counts[kind]] as const)
      .filter(([, { read }]) => read > 0)
      .map(([kind, { read, created, there, left, ended, lifted }]) =>
        [kind.replaceAll('_', ' '), read, created, there, left, ended, lifted].map(String),
      );
    const head = ['', 'read', isApplied ? 'created' : 'new', 'here already', 'left', 'ended', 'lifted'];
    const isEmpty = (column: number) => column > 4 && rows.every((row) => row[column] === '0');
    const shown = (row: string[]) => row.filter((_, column) => !isEmpty(column));
    return [
      table(shown(head), rows.map(shown)),
      ...section('Left at Stripe:', this.left),
      ...notesSection(this.notes),
      ...section('Needs attention:', this.attention),
    ].join('\n');
  }
}

function sentenceOf({ reason, detail }: Obstacle): { reason: Reason; message: string } {
  return { reason, message: detail === undefined ? reasons[reason] : `${reasons[reason]} (${detail})` };
}

/** A line for each reason, with the first ids. */
function section(head: string, entries: readonly ReportedObject[]): string[] {
  if (entries.length === 0) return [];
  const groups = Map.groupBy(entries, ({ object, reason }) => `${object} ${reason}`);
  const lines = [...groups.values()].map((group) => {
    const { object, reason } = group[0]!;
    const ids = group.slice(0, idsShown).map(({ id }) => id);
    const more = group.length > idsShown ? ', …' : '';
    const messages = new Set(group.map(({ message }) => message));
    const message = messages.size === 1 ? [...messages][0] : reasons[reason];
    return `- ${group.length} ${object.replaceAll('_', ' ')}, ${reason}: ${message}: ${ids.join(', ')}${more}`;
  });
  return ['', head, ...lines];
}

function notesSection(notes: readonly Note[]): string[] {
  if (notes.length === 0) return [];
  const lines = notes.slice(0, notesShown).map(({ id, message }) => `- ${id}: ${message}`);
  const more = notes.length - lines.length;
  return ['', 'Notes:', ...lines, ...(more === 0 ? [] : [`- ${more} more; --json has all of them`])];
}
