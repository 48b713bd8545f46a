/** Parameters as Stripe's clients send them: `a=1`, `a[b]=1`, `a[]=1` and `a[0][b]=1`. */
export type FormValue = string | FormFields | FormValue[];
export type FormFields = { [name: string]: FormValue };

/** Reads a form or a query string. */
export function parseForm(text: string): FormFields {
  const root = emptyFields();
  for (const [name, value] of new URLSearchParams(text)) put(root, namesIn(name), value);
  return withArrays(root) as FormFields;
}

/** Without a prototype, so that no parameter can have the name of something inherited. */
function emptyFields(): FormFields {
  return Object.create(null) as FormFields;
}

/** `a[b][]` → a, b, '' */
function namesIn(name: string): string[] {
  const start = name.indexOf('[');
  if (start <= 0 || !name.endsWith(']')) return [name];
  return [name.slice(0, start), ...name.slice(start + 1, -1).split('][')];
}

function put(into: FormFields, [first = '', ...rest]: string[], value: string): void {
  const name = first === '' ? String(Object.keys(into).length) : first;
  if (rest.length === 0) {
    into[name] = value;
    return;
  }
  const there = into[name];
  const next = typeof there === 'object' && !Array.isArray(there) ? there : emptyFields();
  into[name] = next;
  put(next, rest, value);
}

/** Members that are numbered from 0 are an array. */
function withArrays(value: FormValue): FormValue {
  if (typeof value === 'string' || Array.isArray(value)) return value;
  const names = Object.keys(value);
  if (names.length > 0 && names.every((name, at) => name === String(at)))
    return names.map((name) => withArrays(value[name]!));
  for (const name of names) value[name] = withArrays(value[name]!);
  return value;
}
