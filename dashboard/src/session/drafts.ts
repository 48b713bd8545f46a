/** Drafts of what somebody types belong to that person. They are kept in the tab alone, and nobody else gets them. */
const begins = 'tollgate.draft';

export function draftKey(user: string, parts: readonly string[]): string {
  return [begins, user, ...parts].join(' ');
}

/** Of everybody else, or of everybody. */
export function dropDrafts(
  { except }: { except?: string } = {},
  storage: Pick<Storage, 'key' | 'length' | 'removeItem'> = sessionStorage,
): void {
  dropOf(begins, except === undefined ? {} : { except }, storage);
}

/** Removes what is kept for people under keys that begin with a name and the id of the person. */
export function dropOf(
  name: string,
  { except }: { except?: string },
  storage: Pick<Storage, 'key' | 'length' | 'removeItem'>,
): void {
  const keys = Array.from({ length: storage.length }, (_, index) => storage.key(index)!);
  for (const key of keys) {
    const [first, user] = key.split(' ');
    if (first === name && user !== except) storage.removeItem(key);
  }
}

type Kept = Readonly<Record<string, unknown>>;

/** Cards, keys, codes and passwords are never kept, whatever form they are in. Fields are known by their names. */
const neverKept = /pass|code|secret|token|credential|card|number|expiry|cvc|key/i;
const namesIn = (json: string) => [...json.matchAll(/"(\w+)":/g)].map(([, name]) => name!);

/** What was sent, as JSON, and its idempotency key. */
type Sent = Readonly<Record<string, string>>;
const sentName = '(sent)';

/**
 * What somebody has typed into a form, field by field: kept in this tab until it is sent or discarded, so that another page, a reload or
 * an ended session does not lose it. Only what differs from the first value is kept: the rest may have changed by then.
 */
export type Draft = {
  /** What was there when the form was opened. */
  restored: Kept;
  isEmpty(): boolean;
  keep(field: string, value: unknown, initial: unknown): void;
  /** The idempotency key of a change whose outcome is not known: from this form, or from the one before it. */
  keyOf(change: string): string | undefined;
  /** Before a change is sent. Without a key: it was refused, and another try is another change. */
  keepKey(change: string, key: string | undefined): void;
  drop(): void;
};

export function openDraft(key: string, storage: Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>): Draft {
  let kept = readKept(storage.getItem(key));
  const { [sentName]: _, ...restored } = kept;
  const sent = () => (kept[sentName] ?? {}) as Sent;
  const store = (next: Kept) => {
    kept = next;
    if (Object.keys(kept).length === 0) storage.removeItem(key);
    else storage.setItem(key, JSON.stringify(kept));
  };
  return {
    restored,
    isEmpty: () => Object.keys(kept).length === 0,
    keep(field, value, initial) {
      if (neverKept.test(field)) return;
      const { [field]: _, ...others } = kept;
      const isSame = JSON.stringify(value) === JSON.stringify(initial);
      if (isSame && !Object.hasOwn(kept, field)) return;
      store(isSame ? others : { ...kept, [field]: value });
    },
    keyOf: (change) => sent()[change],
    keepKey(change, sentKey) {
      if (namesIn(change).some((name) => neverKept.test(name))) return;
      const { [change]: _, ...others } = sent();
      const next = sentKey === undefined ? others : { ...others, [change]: sentKey };
      const { [sentName]: __, ...fields } = kept;
      store(Object.keys(next).length === 0 ? fields : { ...fields, [sentName]: next });
    },
    drop: () => store({}),
  };
}

function readKept(text: string | null): Kept {
  try {
    return JSON.parse(text ?? '{}');
  } catch {
    return {};
  }
}
