import { Box, Group } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { Copy } from './copy.tsx';
import { pathOfId } from './paths.ts';

const letters = { ff: 'monospace', fz: '0.9em', bg: 'none', p: 0 };

/** An id, which leads to the page of its object if there is one. */
export function IdLink({ id, canCopy = false }: { id: string; canCopy?: boolean }) {
  const path = pathOfId(id);
  return (
    <Group component="span" display="inline-flex" gap={4} wrap="nowrap" maw="100%">
      {path === undefined ? (
        <Box component="code" className="truncated" {...letters}>
          {id}
        </Box>
      ) : (
        <Box component={Link} to={path as string} className="plain-link truncated" {...letters}>
          {id}
        </Box>
      )}
      {canCopy && <Copy text={id} label="Copy ID" />}
    </Group>
  );
}
