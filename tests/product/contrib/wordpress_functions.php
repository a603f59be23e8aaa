<?php
/* Stand-ins for the functions of WordPress that the plugin calls: they note what they were told. */

define( 'ABSPATH', '/' );
$GLOBALS['told']     = array();
$GLOBALS['scenario'] = json_decode( stream_get_contents( STDIN ), true );
$_SERVER['REQUEST_URI']    = $GLOBALS['scenario']['uri'] ?? '/';
$_SERVER['REQUEST_METHOD'] = $GLOBALS['scenario']['method'] ?? 'GET';

function note( $name, $value ) { $GLOBALS['told'][ $name ][] = $value; }
function get_option( $name, $default = false ) { return $GLOBALS['scenario']['options'][ $name ] ?? $default; }
function add_action( $name, $function, $order = 10 ) { note( 'actions', $name ); }
function add_shortcode( $name, $function ) { note( 'shortcodes', $name ); }
function shortcode_exists( $name ) { return in_array( $name, $GLOBALS['scenario']['shortcodes'] ?? array(), true ); }
function register_setting( $group, $name, $arguments ) { note( 'settings', $arguments['sanitize_callback'] ); }
function add_options_page( $title, $menu, $right, $slug, $function ) { note( 'pages', $right ); }
function settings_fields( $group ) { echo '<input type="hidden" name="_wpnonce" value="nonce">'; }
function submit_button() { echo '<button>Save</button>'; }
function add_settings_error( $setting, $code, $message ) { note( 'errors', $message ); }
function current_user_can( $right ) { return $GLOBALS['scenario']['may'] ?? false; }
function is_admin() { return false; }
function is_404() { return $GLOBALS['scenario']['missing'] ?? true; }
function home_url( $path = '' ) { return ( $GLOBALS['scenario']['home'] ?? 'https://site.test' ) . $path; }
function plugins_url( $file, $from ) { return 'https://site.test/wp-content/plugins/kalends/' . $file; }
function wp_register_script( ...$given ) { note( 'scripts', $given[0] ); }
function wp_enqueue_script( $name, $source, ...$more ) { note( 'enqueued', $source ); }
function register_block_type( $name, $arguments ) { note( 'blocks', $arguments['render_callback'] ); }
function wp_redirect( $to, $status = 302, $by = '' ) { note( 'redirects', array( $to, $status ) ); }
function wp_unslash( $value ) { return stripslashes( $value ); }
function wp_parse_url( $url, $part = -1 ) { return parse_url( $url, $part ); }
function wp_parse_str( $text, &$found ) { parse_str( $text, $found ); }
function untrailingslashit( $text ) { return rtrim( $text, '/\\' ); }
function absint( $value ) { return abs( (int) $value ); }
function sanitize_title( $text ) { return trim( preg_replace( '/[^a-z0-9_-]+/', '-', strtolower( $text ) ), '-' ); }
function sanitize_text_field( $text ) { return trim( strip_tags( $text ) ); }
function esc_html( $text ) { return htmlspecialchars( (string) $text, ENT_QUOTES ); }
function esc_attr( $text ) { return htmlspecialchars( (string) $text, ENT_QUOTES ); }
function __( $text, $domain = '' ) { return $text; }
function esc_html__( $text, $domain = '' ) { return esc_html( $text ); }
function esc_url( $url ) { return esc_attr( esc_url_raw( $url ) ); }

function esc_url_raw( $url, $schemes = array( 'http', 'https' ) ) {
	$url = preg_replace( '|[^a-z0-9-~+_.?#=!&;,/:%@$\|*\'()\[\]\\x80-\\xff]|i', '', trim( $url ) );
	return '' === $url || '/' === $url[0] || preg_match( '#^(' . implode( '|', $schemes ) . ')://#i', $url ) ? $url : '';
}

function shortcode_atts( $known, $given, $name = '' ) {
	$found = array();
	foreach ( $known as $key => $value ) {
		$found[ $key ] = array_key_exists( $key, $given ) ? $given[ $key ] : $value;
	}
	return $found;
}

register_shutdown_function(
	function () {
		$GLOBALS['told']['output'] = $GLOBALS['output'] ?? null;
		echo "\n" . json_encode( $GLOBALS['told'] );
	}
);
require $argv[1];
ob_start();
$function          = $GLOBALS['scenario']['call'];
$GLOBALS['output'] = null;
$answer            = $function( ...( $GLOBALS['scenario']['given'] ?? array() ) );
$printed           = ob_get_clean();
$GLOBALS['output'] = null === $answer ? $printed : $answer;
