export {
  type Brand,
  brands,
  type CardNumber,
  isCvcOf,
  mayContainCardNumber,
  readCardNumber,
  withoutSeparators,
} from './card_number.ts';
export { type Rotation, type RotationStep, rotateVault } from './rotate.ts';
export { destroySecretsSql, sweepCvcs } from './sweep.ts';
export { type OpenCard, Vault } from './vault.ts';
