import { Group, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { Failure } from './failure.tsx';
import { PageLayout } from './page_layout.tsx';
import style from './settings_page.module.css';
import { PageSkeleton } from './skeletons.tsx';

type SettingsProps<Item> = {
  title: string;
  /** What it is about, in a sentence. */
  about: ReactNode;
  actions?: ReactNode;
  reading: { data: Item | undefined; error: unknown; refetch(): unknown };
  children(item: Item): ReactNode;
};

/** A page of sections about one thing that there is once. */
export function SettingsPage<Item>({ title, about, actions, reading, children }: SettingsProps<Item>) {
  const { data, error, refetch } = reading;
  return (
    <PageLayout title={title} about={about} actions={<Group gap="xs">{actions}</Group>} hasSections>
      {data !== undefined && children(data)}
      {data === undefined &&
        (error === null ? <PageSkeleton /> : <Failure error={error} onRetry={() => void refetch()} />)}
    </PageLayout>
  );
}

type SettingRow = { name: string; value: ReactNode; about?: ReactNode; action?: ReactNode };

/** Names, values and what can be done, one below the other. */
export function SettingRows({ rows }: { rows: readonly SettingRow[] }) {
  return (
    <dl className={`divided ${style.rows}`}>
      {rows.map(({ name, value, about, action }) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>
            <span>{value}</span>
            {about !== undefined && (
              <Text span display="block" c="dimmed" size="sm">
                {about}
              </Text>
            )}
          </dd>
          {action && (
            <Group component="dd" justify="flex-end" gap={8}>
              {action}
            </Group>
          )}
        </div>
      ))}
    </dl>
  );
}

/** A sentence in quiet letters, within a section. */
export function Note({ children }: { children: ReactNode }) {
  return (
    <Text c="dimmed" size="sm" mb={10}>
      {children}
    </Text>
  );
}
