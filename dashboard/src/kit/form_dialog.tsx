import {
  Checkbox,
  Radio,
  Select,
  type SelectProps,
  Stack,
  Textarea,
  type TextareaProps,
  TextInput,
  type TextInputProps,
} from '@mantine/core';
import { Fragment, type ReactNode } from 'react';
import { type Action, ActionDialog, type OpenDialog } from './action_dialog.tsx';
import { type InputProps, type SentBy, useDialogForm } from './dialog_form.tsx';

/** For the inputs of a field that has several. */
type Part<Value> = <Name extends keyof Value & string>(name: Name) => InputProps<Value[Name]>;

/** A field of a form: its first value, and the input that shows and changes it. */
export type Field<Value> = { initial: Value; input(props: InputProps<Value>, part: Part<Value>): ReactNode };

// biome-ignore lint/suspicious/noExplicitAny: fields of all values
type Fields = Record<string, Field<any>>;
type Values<Of extends Fields> = { [Name in keyof Of]: Of[Name]['initial'] };

type DescribedProp = 'params' | 'preview' | 'confirm' | 'isDangerous';

type FormDescriptor<Of extends Fields, Params, Result> = Omit<
  Action<Params, Result>,
  'children' | 'draft' | 'showAtField' | DescribedProp
> & {
  /** In their order. What is typed is kept as a draft, by page and title. */
  fields: Of;
  /** Of the draft, where a page has several forms with the same title: one for each row of a list. */
  draftName?: string;
  sentBy?: SentBy;
  /** What follows from the values. `hidden`: fields that do not apply to them. */
  describe(values: Values<Of>): Pick<Action<Params, Result>, DescribedProp> & { hidden?: readonly (keyof Of)[] };
};

/** A change with fields. One that reads something while it is open is an `ActionDialog`. */
export function form<Of extends Fields, Params, Result>(descriptor: FormDescriptor<Of, Params, Result>): OpenDialog {
  return (onClose) => <FormDialog {...descriptor} onClose={onClose} />;
}

type FormProps<Of extends Fields, Params, Result> = FormDescriptor<Of, Params, Result> & { onClose(): void };

function FormDialog<Of extends Fields, Params, Result>(props: FormProps<Of, Params, Result>) {
  const { fields, draftName, sentBy, describe, ...action } = props;
  const { values, input, part, held } = useDialogForm(draftName ?? action.title, () => initialValues(fields), sentBy);
  const { hidden = [], ...described } = describe(values);
  return (
    <ActionDialog {...action} {...described} {...held}>
      {Object.entries(fields)
        .filter(([name]) => !hidden.includes(name))
        .map(([name, field]) => (
          <Fragment key={name}>{field.input(input(name), (one) => part(name, one as never))}</Fragment>
        ))}
    </ActionDialog>
  );
}

function initialValues<Of extends Fields>(fields: Of): Values<Of> {
  return Object.fromEntries(Object.entries(fields).map(([name, { initial }]) => [name, initial])) as Values<Of>;
}

/** A field with an input of its own. */
export function field<Value>(initial: Value, input: Field<Value>['input']): Field<Value> {
  return { initial, input };
}

/** `hasFocus`: where the dialog begins. */
type Focusable = { hasFocus?: boolean };

type TextProps = Omit<TextInputProps, 'value' | 'onChange' | 'error'> &
  Focusable & {
    /** Why a text cannot be sent. */
    problem?(text: string): string | undefined;
  };

export function textField(
  label: string,
  initial: string,
  { hasFocus, problem, ...props }: TextProps = {},
): Field<string> {
  return field(initial, ({ error, ...input }) => (
    <TextInput label={label} data-autofocus={hasFocus} {...props} {...input} error={problem?.(input.value) ?? error} />
  ));
}

export function textareaField(
  label: string,
  initial: string,
  { hasFocus, ...props }: Pick<TextareaProps, 'description' | 'maxLength' | 'minRows' | 'maxRows'> & Focusable = {},
): Field<string> {
  return field(initial, (input) => (
    <Textarea label={label} data-autofocus={hasFocus} autosize minRows={1} {...props} {...input} />
  ));
}

/** One of some values: none is not a choice. */
export function selectField<Value extends string>(
  label: string,
  data: NonNullable<SelectProps<Value>['data']>,
  initial: Value,
  { hasFocus, ...props }: Pick<SelectProps, 'description' | 'maxDropdownHeight'> & Focusable = {},
): Field<Value> {
  return field(initial, ({ onChange, ...input }) => (
    <Select
      label={label}
      data={data}
      allowDeselect={false}
      data-autofocus={hasFocus}
      {...props}
      {...input}
      onChange={(chosen) => chosen !== null && onChange(chosen)}
    />
  ));
}

export function checkboxField(label: string): Field<boolean> {
  return field(false, ({ value, ...input }) => <Checkbox label={label} checked={value} {...input} />);
}

type Choice<Value extends string> = readonly [value: Value, label: ReactNode, description?: string];

export function radioField<Value extends string>(
  label: string,
  choices: readonly Choice<Value>[],
  initial: Value,
): Field<Value> {
  return field(initial, (input) => <RadioInput label={label} choices={choices} {...input} />);
}

type RadioProps<Value extends string> = InputProps<Value> & { label: string; choices: readonly Choice<Value>[] };

export function RadioInput<Value extends string>({ label, choices, onChange, ...input }: RadioProps<Value>) {
  return (
    <Radio.Group label={label} {...input} onChange={(value) => onChange(value as Value)}>
      <Stack gap={8} mt={6}>
        {choices.map(([value, title, description]) => (
          <Radio key={value} size="xs" value={value} label={title} description={description} />
        ))}
      </Stack>
    </Radio.Group>
  );
}
