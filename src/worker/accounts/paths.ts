/** Where somebody asks for a new password. */
export const FORGOT_PASSWORD = "/account/password/forgot";
