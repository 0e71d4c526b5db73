import java.net.http.WebSocket;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.regex.Pattern;

/** A client that lives, with nothing but the JDK: java -cp out Client [BASE_URL KEY SECRET] */
final class Client implements WebSocket.Listener {
  private static final long OLD_MS = 3_000;
  private static final long SILENT_NS = TimeUnit.SECONDS.toNanos(60);
  private static final Pattern TIME = Pattern.compile("\"time\":(\\d+)");

  public static void main(String[] words) throws Exception {
    Service service = Service.of(words);
    System.out.println("BTC costs " + service.price("BTC"));
    for (int attempt = 1; ; attempt++) {
      long began = System.nanoTime();
      System.out.println("lost (" + new Client().follow(service) + "), connecting again");
      if (System.nanoTime() - began > TimeUnit.SECONDS.toNanos(30)) attempt = 1;
      // Not all clients at once.
      long pauseMs = Math.min(30_000, 100L << Math.min(attempt, 10));
      Thread.sleep(ThreadLocalRandom.current().nextLong(pauseMs / 2, pauseMs));
    }
  }

  private final CompletableFuture<String> over = new CompletableFuture<>();
  private final StringBuilder text = new StringBuilder();
  private volatile long heardNs = System.nanoTime();
  private String book;

  /** Until the connection is over; answers with why it is. */
  String follow(Service service) throws InterruptedException {
    WebSocket socket;
    try {
      socket =
          Service.HTTP
              .newWebSocketBuilder()
              .connectTimeout(Duration.ofSeconds(10))
              .buildAsync(service.socketAddress(), this)
              .get();
      for (String kind : new String[] {"l2Book", "trades"})
        socket.sendText(Service.subscription(kind), true).get();
    } catch (java.util.concurrent.ExecutionException error) {
      return String.valueOf(error.getCause().getMessage());
    }
    System.out.println("connected");
    while (true) {
      try {
        return over.get(25, TimeUnit.SECONDS);
      } catch (TimeoutException stillThere) {
        // Who says nothing for 60 s is disconnected, whatever the server pushes.
        socket.sendText("{\"method\":\"ping\"}", true);
        if (System.nanoTime() - heardNs > SILENT_NS) over.complete("nothing has come");
      } catch (java.util.concurrent.ExecutionException error) {
        return String.valueOf(error.getCause().getMessage());
      } finally {
        if (over.isDone()) socket.abort();
      }
    }
  }

  @Override
  public CompletionStage<?> onText(WebSocket socket, CharSequence part, boolean isLast) {
    heardNs = System.nanoTime();
    text.append(part);
    if (isLast) {
      take(text.toString());
      text.setLength(0);
    }
    socket.request(1);
    return null;
  }

  @Override
  public CompletionStage<?> onClose(WebSocket socket, int code, String reason) {
    over.complete("code " + code + " " + reason);
    return null;
  }

  @Override
  public void onError(WebSocket socket, Throwable error) {
    over.complete(String.valueOf(error.getMessage()));
  }

  private void take(String frame) {
    if (frame.startsWith("{\"channel\":\"l2Book\"")) book = frame;
    else if (frame.startsWith("{\"channel\":\"trades\"") && book != null) decide(latest(frame));
  }

  /** By the market's own time: this machine's clock may differ, and the market may be held. */
  private void decide(long nowMs) {
    long behindMs = nowMs - latest(book);
    if (book.contains("\"stale\":true") || behindMs > OLD_MS)
      System.out.println("no order: the book is " + behindMs + " ms behind");
    else System.out.println("order at " + Service.bestAsk(book));
  }

  private static long latest(String frame) {
    return TIME.matcher(frame).results().mapToLong(at -> Long.parseLong(at.group(1))).max().orElse(0);
  }
}
