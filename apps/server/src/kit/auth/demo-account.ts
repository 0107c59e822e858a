/** Public, because the README shows it: every reader can log in to an installation with demo data. */
export const demoPassword = 'Charge-2026-Demo'
export const demoLoginNames = [
  'admin',
  'platform',
  'green',
  'agent',
  'site',
  'unionpay',
  'simcard',
  'investor',
  'tester',
  'installer',
  'swift',
  'arrears',
]
