/** Every column that is encrypted with SECRET_KEYS. `npm run reseal` encrypts them again with the newest key. */
export const sealedColumns = [
  ['alipay_attempt', 'sealed_code'],
  ['alipay_attempt', 'sealed_state'],
  ['alipay_authorisation', 'sealed_user_id'],
  ['enterprise_refund', 'account_sealed'],
  ['idempotency_key', 'reply'],
  ['open_app', 'old_secret_sealed'],
  ['open_app', 'secret_sealed'],
  ['session', 'pending_totp_secret'],
  ['user_account', 'totp_secret'],
] as const

/** Columns that are encrypted with SIGNER_KEYS, which only workers have. */
export const signerColumns = [['pay_key', 'secret_sealed']] as const
