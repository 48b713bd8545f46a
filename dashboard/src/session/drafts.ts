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
  const keys = Array.from({ length: storage.length }, (_, index) => storage.key(index)!);
  for (const key of keys) {
    const [name, user] = key.split(' ');
    if (name === begins && user !== except) storage.removeItem(key);
  }
}

type Kept = Readonly<Record<string, unknown>>;

/** Cards, keys, codes and passwords are never kept, whatever form they are in. Fields are known by their names. */
const neverKept = /pass|code|secret|token|credential|card|number|expiry|cvc|key/i;

/**
 * What somebody has typed into a form, field by field: kept in this tab until it is sent or discarded, so that another page, a reload or
 * an ended session does not lose it. Only what differs from the first value is kept: the rest may have changed by then.
 */
export type Draft = {
  /** What was there when the form was opened. */
  restored: Kept;
  isEmpty(): boolean;
  keep(field: string, value: unknown, initial: unknown): void;
  drop(): void;
};

export function openDraft(key: string, storage: Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>): Draft {
  const restored = readKept(storage.getItem(key));
  let kept = restored;
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
