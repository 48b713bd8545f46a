import { Autocomplete, Button, Group, SegmentedControl, Text, Textarea, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, type KeyboardEvent, useRef } from 'react';
import { Failure } from '../../kit/failure.tsx';
import { useRefresh } from '../../kit/read.ts';
import { Answered } from '../../nouns/api_answer.tsx';
import { type ApiAnswer, type ApiRequest, sendRequest } from '../../nouns/sending.ts';
import { entryOfId } from '../../pages/index.ts';
import { useWorkspace } from '../../session/workspace.tsx';
import { type ApiOperation, lineOf, offeredTo, operationAt, parametersIn, textOf, typedValue } from './operations.ts';
import { filledPath } from './subject.ts';
import style from './workbench.module.css';

/** What is typed: the method and the path as one line, and the parameters as JSON. Kept while the panel is open, and nowhere else. */
export type ShellDraft = { line: string; json: string; form: 'json' | 'form'; answer: ApiAnswer | undefined };

export const emptyDraft: ShellDraft = { line: '', json: '', form: 'json', answer: undefined };

type ShellProps = { subject: string | undefined; draft: ShellDraft; onDraft(changed: Partial<ShellDraft>): void };

/** Sends a request to the API as the person who has signed in. In live mode it only reads. */
export function ShellTab({ subject, draft, onDraft }: ShellProps) {
  const workspace = useWorkspace();
  const { mode, session } = workspace;
  const { request, mistake } = requestIn(draft, mode);
  const { send, isSending, error } = useSending(request, (answer) => onDraft({ answer }));
  const operation = request && operationAt(request.method, request.path);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    send();
  };
  const press = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    send();
  };
  return (
    <div className={style.shell}>
      <form onSubmit={submit} onKeyDown={press} className={style.form}>
        <Line offered={offeredTo(workspace)} subject={subject} line={draft.line} onLine={(line) => onDraft({ line })} />
        <Parameters draft={draft} operation={operation} onDraft={onDraft} />
        <Group gap={12} className={style.foot}>
          <Button type="submit" size="xs" loading={isSending} disabled={request === undefined}>
            Send
          </Button>
          <Text size="xs" c="dimmed" flex={1}>
            {mistake ?? `As ${session.user.email}, in ${mode} mode${mode === 'live' ? ': only reads' : ''}.`}
          </Text>
        </Group>
      </form>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by the keyboard */}
      <section className={style.answer} aria-label="Response" tabIndex={0}>
        {error !== null && <Failure error={error} />}
        {error === null && draft.answer !== undefined && <Answered answer={draft.answer} />}
        {error === null && draft.answer === undefined && (
          <Text c="dimmed" p="md">
            The response appears here.
          </Text>
        )}
      </section>
    </div>
  );
}

function useSending(request: ApiRequest | undefined, onAnswer: (answer: ApiAnswer) => void) {
  const { api } = useWorkspace();
  const refresh = useRefresh();
  const isUnderWay = useRef(false);
  const { mutate, isPending, error } = useMutation({
    mutationFn: (sent: ApiRequest) => sendRequest(api, sent),
    onSuccess(answer, { method }) {
      onAnswer(answer);
      if (method !== 'GET') void refresh();
    },
    onSettled() {
      isUnderWay.current = false;
    },
  });
  const send = () => {
    // The second click of a double click comes before the button can be disabled.
    if (request === undefined || isUnderWay.current) return;
    isUnderWay.current = true;
    mutate(request);
  };
  return { send, isSending: isPending, error };
}

/** What the draft asks for, or what keeps it from being sent. */
function requestIn({ line, json }: ShellDraft, mode: 'test' | 'live'): { request?: ApiRequest; mistake?: string } {
  const [, method, path] = /^\s*(GET|POST|DELETE)\s+(\/v1\/\S*)\s*$/.exec(line) ?? [];
  if (line.trim() === '') return { mistake: 'Type a method and a path, such as GET /v1/payments.' };
  if (method === undefined || path === undefined)
    return { mistake: 'Begin with GET, POST or DELETE and a path below /v1, such as GET /v1/payments.' };
  if (path.includes(':id')) return { mistake: 'Replace :id with the id of an object.' };
  if (mode === 'live' && method !== 'GET') return { mistake: 'In live mode the shell only reads: use GET.' };
  const parameters = parametersIn(json);
  if (parameters === undefined) return { mistake: 'The parameters are not a JSON object, such as {"limit": 3}.' };
  return { request: { method: method as ApiRequest['method'], path, parameters } };
}

type LineProps = {
  offered: readonly ApiOperation[];
  subject: string | undefined;
  line: string;
  onLine(line: string): void;
};

function Line({ offered, subject, line, onLine }: LineProps) {
  // Its page names the resource: the paths of the dashboard are others than those of the API.
  const resource = subject && entryOfId(subject)?.calls?.split('.')[0];
  const lines = offered.map((one) => lineOf({ ...one, path: filledPath(one.path, subject, resource) }));
  return (
    <Autocomplete
      size="xs"
      label="Request"
      placeholder="GET /v1/payments"
      value={line}
      onChange={onLine}
      data={[...new Set(lines)]}
      limit={40}
      maxDropdownHeight={200}
      comboboxProps={{ withinPortal: false, position: 'top-start' }}
      spellCheck={false}
      autoComplete="off"
      classNames={{ input: style.code }}
    />
  );
}

type ParametersProps = {
  draft: ShellDraft;
  operation: ApiOperation | undefined;
  onDraft(changed: Partial<ShellDraft>): void;
};

/** As JSON, or a field for each parameter that the operation has. Both show the same. */
function Parameters({ draft, operation, onDraft }: ParametersProps) {
  const { json, form } = draft;
  const parameters = parametersIn(json);
  const hasFields = operation !== undefined && parameters !== undefined;
  return (
    <>
      <Group justify="space-between" gap={8}>
        <Text size="xs" fw={500}>
          Parameters
        </Text>
        <SegmentedControl
          size="xs"
          aria-label="Parameters as"
          value={form}
          onChange={(value) => onDraft({ form: value as ShellDraft['form'] })}
          data={[
            { value: 'json', label: 'JSON' },
            { value: 'form', label: 'Form', disabled: !hasFields },
          ]}
        />
      </Group>
      {form === 'form' && hasFields ? (
        <Fields operation={operation} parameters={parameters} onChange={(value) => onDraft({ json: value })} />
      ) : (
        <Textarea
          size="xs"
          aria-label="Parameters as JSON"
          placeholder="{}"
          value={json}
          onChange={(event) => onDraft({ json: event.currentTarget.value })}
          minRows={4}
          autosize
          spellCheck={false}
          classNames={{ input: style.code }}
        />
      )}
    </>
  );
}

type FieldsProps = {
  operation: ApiOperation;
  parameters: Record<string, unknown>;
  onChange(json: string): void;
};

function Fields({ operation, parameters, onChange }: FieldsProps) {
  const names = Object.entries(operation.parameters);
  const change = (name: string, type: string, text: string) => {
    const changed = { ...parameters, [name]: typedValue(text, type) };
    onChange(JSON.stringify(changed, null, 2)); // what is undefined is left out
  };
  if (names.length === 0)
    return (
      <Text size="xs" c="dimmed">
        It has no parameters.
      </Text>
    );
  return (
    <div className={style.fields}>
      {names.map(([name, type]) => (
        <TextInput
          key={name}
          size="xs"
          label={name}
          placeholder={type.replace('!', '')}
          required={type.endsWith('!')}
          value={textOf(parameters[name])}
          onChange={(event) => change(name, type, event.currentTarget.value)}
          autoComplete="off"
          spellCheck={false}
        />
      ))}
    </div>
  );
}
