import { type FamilyName, families, missingFamilies } from '../../documents/fonts/families.ts';
import { type Finding, fine } from './finding.ts';

/** The scripts that invoices and receipts can print. A server runs without fonts; what it lacks is shown as a box. */
export function checkFonts(missing: readonly FamilyName[] = missingFamilies()): Finding {
  if (missing.length === 0) return fine('fonts', 'invoices and receipts print names in all scripts that have a font');
  const scripts = new Intl.ListFormat('en').format(missing.map((family) => families[family].scripts));
  const packages = missing.map((family) => families[family].package).join(' ');
  return fine(
    'fonts',
    `invoices and receipts print boxes in place of ${scripts}: to print them, install ${packages} beside Tollgate`,
  );
}
