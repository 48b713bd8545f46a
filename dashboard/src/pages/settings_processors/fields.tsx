import { Checkbox, Select, TextInput } from '@mantine/core';
import type { ConnectorField } from '@tollgate/node';
import type { InputProps } from '../../kit/dialog_form.tsx';
import { wordsOf } from '../../kit/tones.ts';

/** What was entered, by the names of the members. */
export type Members = Readonly<Record<string, string | boolean>>;

type FieldsProps = {
  fields: readonly ConnectorField[];
  part(name: string): InputProps<string | boolean>;
  /** Their texts are hidden: nobody behind you reads them. */
  areSecret?: boolean;
  /** Of an account that exists: what is left empty stays as it is. */
  isUpdate?: boolean;
};

/** Those whose names say little to people. */
const titles: Partial<Record<string, string>> = { place: 'Where it runs', behaves: 'Behavior' };

/** What a field is called in forms and on the page of an account. */
export function fieldTitle(name: string): string {
  return titles[name] ?? wordsOf(name);
}

/** The value of a setting in words. */
export function shownSetting(value: string | boolean): string {
  if (typeof value === 'boolean') return value ? 'Yes' : 'No';
  return value === '' ? 'empty' : value;
}

/** The fields that a connector declares. */
export function ConnectorFields({ fields, part, ...rest }: FieldsProps) {
  return fields.map((field) => <OneField key={field.name} field={field} {...part(field.name)} {...rest} />);
}

type OneProps = Omit<FieldsProps, 'fields' | 'part'> &
  InputProps<string | boolean | undefined> & { field: ConnectorField };

function OneField({ field, value, areSecret = false, isUpdate = false, ...input }: OneProps) {
  const { name, kind, choices, required } = field;
  const description =
    areSecret && isUpdate ? `${field.description}. Leave empty to keep the current value` : field.description;
  const isRequired = required && !isUpdate;
  const title = fieldTitle(name);
  const label = isRequired ? title : `${title} (optional)`;
  const shared = { label, description, required: isRequired, withAsterisk: false };
  if (kind === 'flag') return <Checkbox label={title} description={description} checked={value === true} {...input} />;
  if (choices !== undefined)
    return (
      <Select
        {...shared}
        data={choices.map((value) => ({ value, label: wordsOf(value) }))}
        clearable
        {...input}
        value={(value as string | undefined) ?? null}
        onChange={(chosen) => input.onChange(chosen ?? '')}
      />
    );
  return (
    <TextInput
      {...shared}
      // Not a password: the browser must not offer to keep it.
      styles={areSecret ? { input: { WebkitTextSecurity: 'disc' } } : {}}
      autoComplete="off"
      spellCheck={false}
      {...input}
      value={(value as string | undefined) ?? ''}
    />
  );
}

/** What is sent: in a new account only what was entered. Spaces at the ends come from copying. */
export function entered(members: Members): Record<string, string | boolean> {
  const trimmed = Object.entries(members).map(([name, value]) => [
    name,
    typeof value === 'string' ? value.trim() : value,
  ]);
  return Object.fromEntries(trimmed.filter(([, value]) => value !== ''));
}

/** What differs from before. An empty text removes a setting. */
export function changed(before: Members, members: Members): Record<string, string | boolean> {
  const trimmed = Object.entries(members).map(
    ([name, value]) => [name, typeof value === 'string' ? value.trim() : value] as const,
  );
  return Object.fromEntries(
    trimmed.filter(([name, value]) => value !== (before[name] ?? (value === false ? false : ''))),
  );
}
