import { resource } from '../resource.ts';
import { balanceOperations } from './operations.ts';
import { repairOperations } from './repair.ts';
import { Sealer } from './sealer.ts';

export const balance = resource({
  name: 'balance',
  scopes: ['balance'],
  operations: [...balanceOperations, ...repairOperations],
  loops: (services) => [new Sealer(services)],
});
