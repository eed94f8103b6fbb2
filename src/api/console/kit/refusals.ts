import type { Locale } from '../../../contract/enums.ts'
import { errorMeanings } from '../../../contract/error-meanings.ts'
import type { ErrorCode } from '../../../contract/errors.ts'

/** Why the server would not do something, by the code of its error, where nothing more is known. */
export const refusalWords: Record<Locale, Record<ErrorCode, string>> = {
  'zh-TW': {
    validation_error: '填寫的內容有誤，請檢查後再試一次。',
    idempotency_key_required: '請求不完整，請重新整理頁面再試一次。',
    content_violation: '內容不符合規定，請修改。',
    missing_variable: '範本有欄位還沒有填寫。',
    audience_dimension_not_allowed: '您不能用其中一個條件挑選對象，請改用其他條件。',
    dag_invalid: '流程的設計有問題，請修改步驟與連線。',
    fixed_category: '必要通知不能關閉。',
    topic_inactive: '這個訂閱主題已停用，請改選其他訂閱主題。',
    remind_before_send: '提醒時間必須晚於發送時間。',
    remind_after_expiry: '提醒時間必須早於逾期時間。',
    unauthenticated: '請重新登入。',
    invalid_credential: '您的登入已失效，請重新登入。',
    not_bound: '這個聊天帳號還沒有綁定。',
    bad_signature: '請求的簽章不正確。',
    stale_timestamp: '請求的時間與系統相差太多。',
    unknown_key: '找不到這把簽署金鑰。',
    forbidden: '您沒有這個單位的權限。',
    unit_required: '您屬於多個單位，請先選擇單位。',
    category_not_allowed: '不能使用這個類別，請改選其他類別。',
    individual_targeting_disabled:
      '條件選到的人太少，或指名了個人，所以不能顯示人數。請放寬條件，或請核准者查看。',
    identity_api_forbidden: '只有行政單位可以這麼做。',
    not_found: '用到的項目已不存在，或不屬於這個單位。請重新整理頁面。',
    method_not_allowed: '這個頁面不支援這項操作。',
    idempotency_mismatch: '相同的請求已經送出過，而內容不同。請重新整理頁面。',
    invalid_transition: '目前的狀態不能這麼做。請重新整理頁面，看看現在的狀況。',
    quota_exceeded: '本月配額不足。請減少對象，或請系統管理員提高配額。',
    self_approval: '內容有您撰寫的部分，須由其他人核准。',
    group_subset: '群組的成員必須也是上層群組的成員。',
    too_many_runs: '正在進行的對話太多，請稍後再試。',
    too_many_subjects: '一次指定的人太多，請分成幾次。',
    too_many_events: '一次送出的事件太多，請分成幾次。',
    payload_too_large: '送出的內容太大，請縮短。',
    rate_limited: '操作太頻繁，請稍後再試。',
    internal: '系統發生錯誤，請稍後再試。',
    provider: '平台沒有接受這則訊息。請檢查內容，或聯絡系統管理員。',
    retryable: '平台目前忙碌，請稍後再試。',
    not_configured: '這個管道還沒有設定，請聯絡系統管理員。',
    unavailable: '系統目前忙碌，請稍後再試。',
  },
  en: errorMeanings,
}
