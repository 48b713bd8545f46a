import { Button, Group, Input, SegmentedControl, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { InputProps } from '../../kit/dialog_form.tsx';
import { wordsOf } from '../../kit/status.tsx';
import { useWorkspace } from '../../session/workspace.tsx';
import style from './api_keys.module.css';
import { type Access, alsoFor, type Chosen, isBeyond, isReadOnly, scopeResources } from './scopes.ts';

/** What a restricted key may do: nothing, reading or writing, by resource. */
export function ScopePicker({ value: chosen, onChange, error, ...input }: InputProps<Chosen>) {
  const [query, setQuery] = useState('');
  const wanted = query.trim().toLowerCase();
  const shown = scopeResources.filter((resource) =>
    `${resource} ${wordsOf(resource)} ${alsoFor[resource] ?? ''}`.toLowerCase().includes(wanted),
  );
  const isEmpty = Object.values(chosen).every((access) => access === 'none');
  const readAll = Object.fromEntries(scopeResources.map((resource) => [resource, 'read'])) as Chosen;
  return (
    <fieldset className={style.picker} aria-label="Scopes" {...input}>
      <Group gap={8} p={8} wrap="nowrap">
        <TextInput
          flex={1}
          size="xs"
          aria-label="Search scopes"
          placeholder="Search scopes"
          value={query}
          onChange={(event) => setQuery(event.currentTarget.value)}
        />
        <Button size="xs" variant="default" onClick={() => onChange(isEmpty ? readAll : {})}>
          {isEmpty ? 'Read everything' : 'Clear'}
        </Button>
      </Group>
      <div className={`divided ${style.rows}`}>
        {shown.map((resource) => (
          <ResourceRow
            key={resource}
            resource={resource}
            access={chosen[resource] ?? 'none'}
            onChange={(access) => onChange({ ...chosen, [resource]: access })}
          />
        ))}
        {shown.length === 0 && (
          <Text c="dimmed" size="xs" p={12}>
            No matching scopes.
          </Text>
        )}
      </div>
      {error && <Input.Error p={8}>{error}</Input.Error>}
    </fieldset>
  );
}

type RowProps = { resource: string; access: Access; onChange(access: Access): void };

function ResourceRow({ resource, access, onChange }: RowProps) {
  const { has } = useWorkspace();
  const offered: Access[] = isReadOnly(resource) ? ['none', 'read'] : ['none', 'read', 'write'];
  return (
    <Group justify="space-between" gap={12} py={4} pl={12} pr={8} wrap="nowrap">
      <span>
        {wordsOf(resource)}{' '}
        <Text span c="dimmed" size="xs">
          {alsoFor[resource]}
        </Text>
      </span>
      <SegmentedControl
        flex="none"
        size="xs"
        aria-label={wordsOf(resource)}
        value={access}
        onChange={(value) => onChange(value as Access)}
        data={offered.map((value) => ({
          value,
          label: wordsOf(value),
          disabled: isBeyond(`${resource}:${value}`, has),
        }))}
      />
    </Group>
  );
}
