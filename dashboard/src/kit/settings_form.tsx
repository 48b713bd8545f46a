import { Button, Group } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation } from '@tanstack/react-query';
import type { Tollgate } from '@tollgate/node';
import { type FormEvent, type ReactNode, useState } from 'react';
import { useIsLost } from '../session/reach.ts';
import type { OperationName } from '../session/rights.ts';
import { useWorkspace } from '../session/workspace.tsx';
import type { DialogForm } from './dialog_form.tsx';
import { Failure } from './failure.tsx';
import { useRefresh } from './read.ts';
import style from './settings_page.module.css';

type SettingsFormProps<Changes> = {
  held: DialogForm<never>['held'];
  /** The operation that saves: who may not call it sees the form. */
  calls: OperationName;
  /** What differs from what is stored; undefined where nothing does. */
  changes: Changes | undefined;
  save(api: Tollgate, changes: Changes): PromiseLike<unknown>;
  /** What to say then. */
  saved: string;
  /** Shows again what is stored. */
  onDiscard(): void;
  /** What customers will see of it. */
  preview: ReactNode;
  children: ReactNode;
};

/** Settings beside a preview of them. They are read anew after each change. */
export function SettingsForm<Changes>(props: SettingsFormProps<Changes>) {
  const { held, calls, changes, onDiscard, preview, children } = props;
  const { may } = useWorkspace();
  const { send, isSending, error } = useSaving(props);
  const isLost = useIsLost();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (changes !== undefined) send(changes);
  };
  const discard = () => {
    held.draft.drop();
    onDiscard();
  };
  return (
    <div className={style.beside}>
      <form onSubmit={submit}>
        <fieldset disabled={!may(calls)} className={style.fields}>
          {children}
          {error !== null && <Failure error={error} />}
          {may(calls) && (
            <Group justify="flex-end" gap="xs">
              {changes !== undefined && (
                <Button variant="default" onClick={discard}>
                  Discard changes
                </Button>
              )}
              <Button type="submit" loading={isSending} disabled={changes === undefined || isLost}>
                Save
              </Button>
            </Group>
          )}
        </fieldset>
      </form>
      <div className={style.sticky}>{preview}</div>
    </div>
  );
}

function useSaving<Changes>({ held: { draft, showAtField }, save, saved }: SettingsFormProps<Changes>) {
  const { api } = useWorkspace();
  const refresh = useRefresh();
  const [error, setError] = useState<unknown>(null);
  const { mutate, isPending } = useMutation({
    onMutate: () => setError(null),
    mutationFn: async (changes: Changes) => await save(api, changes),
    async onSuccess() {
      draft.drop();
      notifications.show({ message: saved, color: 'brand' });
      await refresh();
    },
    onError(failure) {
      if (!showAtField(failure)) setError(failure);
    },
  });
  return { send: mutate, isSending: isPending, error };
}
