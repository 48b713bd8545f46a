import { Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ProcessorAccount } from '@tollgate/node';
import { nameIn } from '../../nouns/processor_accounts.ts';
import style from './routing.module.css';

/** Processor accounts in the order in which they are tried. */
export function Order({ ids, accounts }: { ids: readonly string[]; accounts: readonly ProcessorAccount[] }) {
  return (
    <Text span size="sm" className={style.order}>
      {ids.map((id, at) => (
        <span key={id}>
          {at > 0 && (
            <Text span inherit c="dimmed" mx={6}>
              then
            </Text>
          )}
          <Link to={`/settings/processors/${id}` as string}>{nameIn(accounts, id)}</Link>
          {accounts.some((account) => account.id === id && !account.enabled) && (
            <Text span inherit c="dimmed" mx={6}>
              (disabled)
            </Text>
          )}
        </span>
      ))}
    </Text>
  );
}
