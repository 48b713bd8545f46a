import { Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { pathOfId } from './paths.ts';

/** What a row is called by: leads to the page of its object, whose id is shown on hover, with the name as it may be cut. */
export function RowLink({ id, children }: { id: string; children: ReactNode }) {
  return (
    <Text
      component={Link}
      to={pathOfId(id) as string}
      title={typeof children === 'string' ? `${children}\n${id}` : id}
      inherit
      fw={500}
      c="inherit"
      td="none"
      dir="auto"
    >
      {children}
    </Text>
  );
}
