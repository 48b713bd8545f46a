import { Alert, Box, Button, Group, Stack } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type RequestOptions, type Tollgate, TollgateError } from '@tollgate/node';
import { type FormEvent, type ReactNode, Suspense, useRef, useState } from 'react';
import type { Draft } from '../session/drafts.ts';
import { hasEnded, isSignedOut } from '../session/queries.ts';
import { useIsLost } from '../session/reach.ts';
import { useSignal } from '../session/signal.ts';
import { useWorkspace } from '../session/workspace.tsx';
import style from './action_dialog.module.css';
import { Dialog } from './dialog.tsx';
import { Failure, isRefusal } from './failure.tsx';
import { Notice } from './notice.tsx';
import { useRefresh } from './read.ts';

export type Action<Params, Result> = {
  title: string;
  /** The fields, if there are some. */
  children?: ReactNode;
  /** What will happen, one sentence each. */
  preview: readonly ReactNode[];
  /** On the button: names the amount, such as `Refund €20.00`. */
  confirm: string;
  isDangerous?: boolean;
  /** On the button that closes the dialog: another word where the change itself is to cancel something. */
  dismiss?: string;
  /** Undefined while the fields cannot be sent. */
  params: Params | undefined;
  run(api: Tollgate, params: Params, options: RequestOptions): PromiseLike<Result>;
  /** What to say when it is done. */
  done(result: Result): string;
  /** What else follows. */
  onDone?(result: Result): void;
  /** The page to go to then, such as that of a new object. */
  leadsTo?(result: Result): string;
  /** Wider than others, for a table. */
  isWide?: boolean;
  /** Of what is typed into the fields. */
  draft?: Draft;
  /** Shows at its field what is wrong with a parameter. False: no field has it. */
  showAtField?(error: unknown): boolean;
};

/** Shows a dialog, until it is closed. */
export type OpenDialog = (onClose: () => void) => ReactNode;

type DialogProps<Params, Result> = Action<Params, Result> & { onClose(): void };

/**
 * A change, with a preview of what it will do. What is sent from one opened dialog with the same fields is one intent, and has one
 * idempotency key: a double click, or another try after an error of the network, takes effect once. A refusal ends the intent: the cause may
 * be gone by the next try, and the same key would only repeat the stored answer.
 */
export function ActionDialog<Params, Result>(props: DialogProps<Params, Result>) {
  const { title, children, preview, confirm, dismiss = 'Cancel', isDangerous = false, isWide = false } = props;
  const { params, draft } = props;
  const { isAsking, noteTyping, discard, close, goBack } = useClosing(props);
  const { send, isSending, error } = useIntent(props);
  const isLost = useIsLost();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    send();
  };
  return (
    <Dialog title={title} isWide={isWide} onClose={close}>
      <form onSubmit={submit} onInput={noteTyping}>
        <Stack gap="md">
          {draft && <Restored draft={draft} onDiscard={discard} />}
          {children}
          <div className={style.preview}>
            <h3>What will happen</h3>
            <ul>
              {preview.map((sentence, index) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: the sentences have an order and nothing else
                <li key={index}>{sentence}</li>
              ))}
            </ul>
          </div>
          {error !== null && <DialogFailure error={error} confirm={confirm} />}
          {isAsking ? (
            <Unsent error={error} onBack={goBack} onDiscard={discard} />
          ) : (
            <Group justify="flex-end" gap="xs" className={style.foot}>
              <Button variant="default" onClick={discard}>
                {dismiss}
              </Button>
              <Button
                type="submit"
                color={isDangerous ? 'red.9' : 'brand'}
                loading={isSending}
                disabled={params === undefined || isLost}
              >
                {confirm}
              </Button>
            </Group>
          )}
        </Stack>
      </form>
    </Dialog>
  );
}

/** Esc, the cross and a click beside the dialog ask before they discard what was typed. The button that says so does not. */
function useClosing({ draft, onClose }: { draft?: Draft; onClose(): void }) {
  const [isAsking, setAsking] = useState(false);
  const isTyped = useRef(false);
  return {
    isAsking,
    noteTyping() {
      isTyped.current = true;
    },
    goBack: () => setAsking(false),
    discard() {
      draft?.drop();
      onClose();
    },
    close() {
      // The keys of somebody who signs in again, over this dialog, are not for it.
      if (hasEnded.get()) return;
      if (isTyped.current || draft?.isEmpty() === false) setAsking(true);
      else onClose();
    },
  };
}

type UnsentProps = { error: unknown; onBack(): void; onDiscard(): void };

function Unsent({ error, onBack, onDiscard }: UnsentProps) {
  return (
    <Alert color="yellow" variant="default" role="alert" title="Discard what you typed?">
      {isUnknown(error) &&
        'It is not known whether your change took effect. Look before you send it from another dialog.'}
      <Group justify="flex-end" gap="xs" mt="sm">
        <Button variant="default" size="xs" onClick={onDiscard}>
          Discard
        </Button>
        <Button size="xs" autoFocus onClick={onBack}>
          Keep editing
        </Button>
      </Group>
    </Alert>
  );
}

/** Whether a change was sent, and may have taken effect. What a page itself says is no failure of the way there. */
const isUnknown = (error: unknown) => error instanceof TollgateError && !isRefusal(error);

/** Says that the fields have what was typed before. */
function Restored({ draft: { restored }, onDiscard }: { draft: Draft; onDiscard(): void }) {
  if (Object.keys(restored).length === 0) return null;
  return (
    <Group gap="xs" className="quiet">
      Continued from what you typed before.
      <Button variant="subtle" size="compact-sm" onClick={onDiscard}>
        Discard it
      </Button>
    </Group>
  );
}

/** Where it is not known what became of a change: whether to press again. The idempotency key is the same until the fields are others. */
function DialogFailure({ error, confirm }: { error: unknown; confirm: string }) {
  const isLost = useIsLost();
  const isOver = useSignal(hasEnded);
  if (isSignedOut(error))
    return (
      <Notice tone="waiting" title={isOver ? 'Your session has ended' : 'You have signed in again'}>
        Nothing was sent. Press “{confirm}” to send it.
      </Notice>
    );
  if (!isUnknown(error)) return <Failure error={error} />;
  return (
    <Failure error={error}>
      <Box component="p" mt={4}>
        It is not known whether your change took effect.{' '}
        {isLost ? 'Wait until the gateway is back: the button then works again. ' : ''}
        Pressing “{confirm}” again is safe: it takes effect once.
      </Box>
    </Failure>
  );
}

type Confirmation<Result> = Omit<Action<object, Result>, 'children' | 'params' | 'run'> & {
  run(api: Tollgate, options: RequestOptions): PromiseLike<Result>;
};

/**
 * A change without fields, to confirm. What it sends must not change while it is open: one that reads something then is an
 * `ActionDialog`, whose idempotency key follows what is sent.
 */
export function confirmation<Result>({ run, ...action }: Confirmation<Result>): OpenDialog {
  return (onClose) => (
    <ActionDialog {...action} params={{}} run={(api, _params, options) => run(api, options)} onClose={onClose} />
  );
}

/**
 * For buttons that open dialogs. A dialog stays as it was when it was opened: what others change meanwhile does not change what is being
 * confirmed, and another try is the same request.
 */
export function useDialog(): { dialog: ReactNode; open(show: OpenDialog): void } {
  const [opened, setOpened] = useState<{ show: OpenDialog }>();
  // Some are loaded when they are opened.
  const dialog = opened && <Suspense fallback={null}>{opened.show(() => setOpened(undefined))}</Suspense>;
  return { dialog, open: (show) => setOpened({ show }) };
}

function useIntent<Params, Result>(props: DialogProps<Params, Result>) {
  const { params, run, done, onDone, leadsTo, onClose, draft, showAtField } = props;
  const navigate = useNavigate();
  const { api } = useWorkspace();
  const refresh = useRefresh();
  const [keys] = useState(() => new Map<string, string>());
  const isUnderWay = useRef(false);
  const [error, setError] = useState<unknown>(null);
  const { mutate, isPending } = useMutation({
    onMutate: () => setError(null),
    mutationFn: async (sent: Params) => await run(api, sent, { idempotencyKey: keyOf(keys, sent, draft) }),
    async onSuccess(result) {
      notifications.show({ message: done(result), color: 'brand' });
      draft?.drop();
      onClose();
      onDone?.(result);
      // First: the page of something deleted would read it again, and fail.
      if (leadsTo) await navigate({ to: leadsTo(result) });
      await refresh();
    },
    onError(failure, sent) {
      if (!showAtField?.(failure)) setError(failure);
      if (!isRefusal(failure)) return;
      keys.delete(JSON.stringify(sent));
      draft?.keepKey(JSON.stringify(sent), undefined);
    },
    onSettled() {
      isUnderWay.current = false;
    },
  });
  const send = () => {
    // The second click of a double click comes before the button can be disabled.
    if (params === undefined || isUnderWay.current) return;
    isUnderWay.current = true;
    mutate(params);
  };
  return { send, isSending: isPending, error };
}

/**
 * Other fields are another intent: the same key would be refused for them. A draft keeps the key: a form that is opened again, after a reload
 * say, with the same fields is still the same intent.
 */
function keyOf(keys: Map<string, string>, params: unknown, draft: Draft | undefined): string {
  const intent = JSON.stringify(params);
  const key = keys.get(intent) ?? draft?.keyOf(intent) ?? crypto.randomUUID();
  keys.set(intent, key);
  draft?.keepKey(intent, key);
  return key;
}
