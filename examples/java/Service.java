import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.Base64;
import java.util.HexFormat;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** Where the service is, and as whom it is asked. */
record Service(String baseUrl, String key, String secret) {
  static final HttpClient HTTP =
      HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(10)).build();

  /** BASE_URL ACCESS_KEY SECRET_KEY, or the demo key of a server on this machine. */
  static Service of(String[] words) {
    return words.length == 3
        ? new Service(words[0], words[1], words[2])
        : new Service("http://127.0.0.1:4010", "demo", "demo-secret");
  }

  /** A query string that is good for 30 s and for one use: sign anew for each request. */
  String signed() {
    String text =
        "AccessKeyId=%s&SignatureNonce=%s&Timestamp=%d"
            .formatted(key, UUID.randomUUID(), System.currentTimeMillis() / 1000);
    try {
      Mac mac = Mac.getInstance("HmacSHA1");
      mac.init(new SecretKeySpec(secret.getBytes(StandardCharsets.UTF_8), "HmacSHA1"));
      byte[] digest = mac.doFinal(text.getBytes(StandardCharsets.UTF_8));
      // What is encoded is the hexadecimal text, not the digest's bytes.
      byte[] hex = HexFormat.of().formatHex(digest).getBytes(StandardCharsets.US_ASCII);
      String signature = Base64.getEncoder().encodeToString(hex);
      return text + "&Signature=" + URLEncoder.encode(signature, StandardCharsets.UTF_8);
    } catch (GeneralSecurityException error) {
      throw new IllegalStateException(error);
    }
  }

  /** What a coin costs. */
  String price(String coin) throws Exception {
    URI address = URI.create(baseUrl + "/api/upgrade/v2/hl/tickers?" + signed());
    HttpRequest request = HttpRequest.newBuilder(address).timeout(Duration.ofSeconds(10)).build();
    var answer = HTTP.send(request, BodyHandlers.ofString());
    if (answer.statusCode() != 200) throw new IllegalStateException(answer.body());
    return first("\"coin\":\"%s\",\"price\":\"([^\"]+)\"".formatted(coin), answer.body());
  }

  URI socketAddress() {
    return URI.create(baseUrl.replaceFirst("http", "ws") + "/api/upgrade/v2/hl/ws?" + signed());
  }

  static String subscription(String kind) {
    return "{\"method\":\"subscribe\",\"subscription\":{\"type\":\"%s\",\"coin\":\"BTC\"}}"
        .formatted(kind);
  }

  /** The JDK reads no JSON; what is needed here is found without, in a program it is a library's. */
  static String first(String pattern, String json) {
    Matcher found = Pattern.compile(pattern).matcher(json);
    return found.find() ? found.group(1) : null;
  }

  /** The best ask of a book's frame. */
  static String bestAsk(String frame) {
    return first("\"levels\":\\[\\[.*?\\],\\[\\{\"px\":\"([^\"]+)\"", frame);
  }
}
